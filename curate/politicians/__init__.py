"""Politicians of the world by gender, and the words that models put beside their names."""
