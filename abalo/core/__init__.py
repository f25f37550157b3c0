"""The engine that every task and every probe shares. Nothing here knows what is labelled or how."""
