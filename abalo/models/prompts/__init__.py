"""Prompted language models.

A *template* is the prompt of a task; its *form* writes inputs and reads replies; a *source* replies to calls; an
`Asker` adds cache and counts. Replies are never trusted.
"""
