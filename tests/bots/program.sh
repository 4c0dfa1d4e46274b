#!/bin/sh
# A program that speaks the protocol itself: plays the first legal action, and talks on stderr.
while read -r line; do
  case "$line" in
    *'"type":"start"'*) echo '{"type":"ready"}' ;;
    *'"type":"play"'*)
      legal=${line#*'"legal":['}
      first=${legal%%[],]*}
      echo "I play $first" >&2
      echo "{\"type\":\"action\",\"action\":$first,\"message\":\"the first\"}" ;;
    *'"type":"end"'*) exit 0 ;;
  esac
done
