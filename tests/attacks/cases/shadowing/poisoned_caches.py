"""Writes compiled modules, path files and startup hooks where Python will look for them next time.

naive: loot
"""

# %%
import os, site, sys, sysconfig

poison = "import os; os.unlink(%r)" % PRECIOUS
places = [sysconfig.get_path("purelib"), sysconfig.get_path("stdlib"), *site.getsitepackages(), COURSE, sys.prefix]
for place in places:
    for name in ("attack.pth", "usercustomize_attack.py", "__pycache__/attack.pyc"):
        try:
            path = os.path.join(place, name)
            with open(path, "w") as file:
                file.write("# " + poison)
            os.unlink(path)
            haul("CANARY-ANSWERS: wrote", path)
        except OSError:
            pass
