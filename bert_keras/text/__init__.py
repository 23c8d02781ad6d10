"""From raw text to arrays: corpora, vocabulary, WordPiece, packing, masking, sentence pairs."""
