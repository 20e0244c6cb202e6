"""Sets other processes' limits to nothing, and their priority to the lowest.

naive: loot
"""

# %%
import os, resource

for victim in (BYSTANDER, os.getppid(), GRADER):
    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_NOFILE):
        try:
            resource.prlimit(victim, kind, (0, 0))
            haul("CANARY-OTHER: limited", victim)
        except (OSError, ValueError):
            pass
    try:
        os.setpriority(os.PRIO_PROCESS, victim, 19)
        os.sched_setaffinity(victim, {0})
        haul("CANARY-OTHER: slowed down", victim)
    except OSError:
        pass
