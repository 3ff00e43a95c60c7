"""From pairs to people and back: tasks for translators and validators, their answers, merged."""
