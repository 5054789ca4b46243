"""Pages of HTML, and the one that is served to the public: unsubscribing with one touch."""
