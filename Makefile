# make run           builds storebrowser and opens the demo store
# make test          runs every test
# make check         format lint, build, tests: what a change must pass
# make screenshots   draws screenshots/ anew, with the program itself
# make install       puts the program into PREFIX/bin (default /usr/local)

PREFIX ?= /usr/local
PROGRAM = .build/release/storebrowser
RELEASE = swift build -c release --static-swift-stdlib --product storebrowser

# One thing after the other, also under -j: each step uses every core itself.
.NOTPARALLEL:

.PHONY: run release test check lint screenshots install clean

run: release
	@$(PROGRAM)

release:
	@Scripts/packages build
	@echo "Compiling storebrowser (release). The first time takes a few minutes, after that seconds."
	@$(RELEASE)

test:
	@Scripts/packages test
	swift build --build-tests
	@# The browser's tests fill the main thread, which those of the main queue's context wait for: one after the other.
	swift test --skip-build --skip BrowserCoreTests
	swift test --skip-build --filter BrowserCoreTests
	Scripts/python-tests

check: lint test
	@echo "make check: everything passed"

lint:
	@Scripts/packages build
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks

screenshots: release
	Scripts/screenshots $(PROGRAM)

install: release
	install -D -m 755 $(PROGRAM) "$(DESTDIR)$(PREFIX)/bin/storebrowser"

clean:
	swift package clean
