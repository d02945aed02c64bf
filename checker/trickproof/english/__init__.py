"""Rules in plain English, from their syntax trees."""
