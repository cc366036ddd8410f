"""What is told of a step that is over: reports and their maps, to whoever plays and whoever watches, with the press that waited
for them."""
