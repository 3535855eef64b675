# The same as run.sh for Windows: the binary that is given, the one in the tool cache, or the release named by checksums.txt, compared
# with its sum.
$ErrorActionPreference = 'Stop'
$sums = Join-Path $PSScriptRoot 'checksums.txt'

function Fail([string]$message) {
	Write-Output "::error::$message"
	exit 2
}

$given = if ($env:INPUT_BINARY) { $env:INPUT_BINARY } else { $env:WIKIWRIGHT_BINARY }
if ($given) {
	if (-not (Test-Path -LiteralPath $given -PathType Leaf)) { Fail 'the input binary does not name a program that can be run' }
	& $given action
	exit $LASTEXITCODE
}

$arch = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'arm64' } else { 'amd64' }
$line = Get-Content -LiteralPath $sums | Where-Object { $_ -cmatch "^[0-9a-f]{64}  wikiwright_[0-9A-Za-z.+-]+_windows_$arch\.exe$" } | Select-Object -First 1
if (-not $line) { Fail "checksums.txt names no binary for windows/${arch}: use a released version of the action (wikiwright/wikiwright@vX), or name a program with the input binary" }
$sum, $name = $line -split '  ', 2
$version = $name -replace '^wikiwright_', '' -replace "_windows_$arch\.exe$", ''

$root = if ($env:RUNNER_TOOL_CACHE) { $env:RUNNER_TOOL_CACHE } else { $env:RUNNER_TEMP }
$cache = Join-Path $root "wikiwright/$version/$arch"
$program = Join-Path $cache 'wikiwright.exe'
if (-not (Test-Path -LiteralPath $program) -or (Get-FileHash -LiteralPath $program -Algorithm SHA256).Hash.ToLowerInvariant() -ne $sum) {
	New-Item -ItemType Directory -Force -Path $cache | Out-Null
	$base = if ($env:INPUT_DOWNLOAD_URL) { $env:INPUT_DOWNLOAD_URL } else { 'https://github.com/wikiwright/wikiwright/releases/download' }
	$temp = Join-Path $cache ('download-' + [guid]::NewGuid())
	try {
		Invoke-WebRequest -Uri "$base/v$version/$name" -OutFile $temp -TimeoutSec 300
	} catch {
		Fail "wikiwright $version could not be downloaded; name a mirror with the input download-url, or a program with the input binary"
	}
	if ((Get-FileHash -LiteralPath $temp -Algorithm SHA256).Hash.ToLowerInvariant() -ne $sum) {
		Remove-Item -LiteralPath $temp
		Fail "the download of wikiwright $version has another checksum than checksums.txt says: it was not run"
	}
	Move-Item -Force -LiteralPath $temp -Destination $program
}
& $program action
exit $LASTEXITCODE
