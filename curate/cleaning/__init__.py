"""Cleaning a corpus before pairs are made of it: other languages, repeated sentences.

What repeats another sentence is decided for minimal pairs:

- Sentences that differ in a gender word both stay, however long and alike they are. Which of the
  two was written is what the balance counts, and a swap may be sure of one and refuse the other.
  Where both give the same pair, that is dropped as a duplicate later.
- Sentences that differ only in a name, a number or a negation are treated as any others: short
  ones both stay, of long ones (some 14 words at 0.8) the first. Scores take every pair for an
  observation of its own, and a hundred pairs from one template make an interval look narrower than
  it is. A higher threshold (0.95) keeps them, except where a letter or two is all the difference.
"""
