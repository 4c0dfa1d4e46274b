"""The authority: the referee, the record it writes, the proof that a record is true."""
