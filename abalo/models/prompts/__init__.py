"""Prompted language models.

A *source* replies to calls; a *form* writes prompts and reads replies; an `Asker` adds cache and counts. Replies are
never trusted.
"""
