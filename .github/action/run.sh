#!/usr/bin/env bash
# Finds the program and runs it as a GitHub Action (Linux and macOS; run.ps1 is the same for Windows). In this order: the binary that is
# given, the one in the tool cache, the release named by checksums.txt. What was not built on this machine is compared with its sum.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sums="$here/checksums.txt"

fail() {
	printf '::error::%s\n' "$1"
	exit 2
}

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum -- "$1"; else shasum -a 256 -- "$1"; fi | cut -d ' ' -f 1
}

given="${INPUT_BINARY:-${WIKIWRIGHT_BINARY:-}}"
if [ -n "$given" ]; then
	[ -x "$given" ] || fail "the input binary does not name a program that can be run"
	exec "$given" action
fi

case "$(uname -s)" in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) fail "there is no binary for this operating system; build wikiwright and name it with the input binary" ;;
esac
case "$(uname -m)" in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no binary for this processor; build wikiwright and name it with the input binary" ;;
esac

line=$(grep -E "^[0-9a-f]{64}  wikiwright_[0-9A-Za-z.+-]+_${os}_${arch}\$" "$sums" || true)
[ -n "$line" ] || fail "checksums.txt names no binary for $os/$arch: use a released version of the action (wikiwright/wikiwright@vX), or name a program with the input binary"
sum=${line%% *}
name=${line##* }
version=${name#wikiwright_}
version=${version%_"${os}_${arch}"}

cache="${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/wikiwright/$version/$arch"
program="$cache/wikiwright"
if [ ! -x "$program" ] || [ "$(sha256 "$program")" != "$sum" ]; then
	mkdir -p "$cache"
	temp=$(mktemp "$cache/download-XXXXXX")
	trap 'rm -f "$temp"' EXIT
	url="${INPUT_DOWNLOAD_URL:-https://github.com/wikiwright/wikiwright/releases/download}/v$version/$name"
	curl --fail --silent --show-error --location --proto '=https,http' --retry 3 --max-time 300 --output "$temp" -- "$url" ||
		fail "wikiwright $version could not be downloaded; name a mirror with the input download-url, or a program with the input binary"
	[ "$(sha256 "$temp")" = "$sum" ] || fail "the download of wikiwright $version has another checksum than checksums.txt says: it was not run"
	chmod 755 "$temp"
	mv -f "$temp" "$program"
	trap - EXIT
fi
exec "$program" action
