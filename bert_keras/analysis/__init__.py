"""Looking inside: pictures of attention, chart helpers."""
