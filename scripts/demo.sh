#!/bin/sh
# `npm run demo`: the set-up for the chosen player, then the demo in place of this shell, so that signals reach it.
# The app needs a display: without one it gets a virtual one. Help needs no set-up.
set -e
case " $* " in
  *' --help '* | *' -h '*) exec node bin/multipath-dash.mjs demo --help ;;
esac
purpose=demo
case " $* " in
  *' --player electron '* | *' --player=electron '*) purpose=demo-app ;;
esac
node scripts/setup.mjs --for "$purpose"
if [ "$purpose" = demo-app ] && [ -z "$DISPLAY$WAYLAND_DISPLAY" ]; then
  exec node scripts/with-display.mjs node bin/multipath-dash.mjs demo "$@"
fi
exec node bin/multipath-dash.mjs demo "$@"
