"""Rules in plain English, generated from their syntax trees."""
