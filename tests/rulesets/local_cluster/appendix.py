"""The map of appendix A.1: planet, x, y, lines to."""

MAP = """Aquila 34 7 Bastion, Eridu, Fenris
Bastion 54 7 Aquila, Calyx, Garnet
Calyx 70 12 Bastion, Hesper, Jotun
Dorado 13 26 Eridu, Lumen, Mirach
Eridu 23 17 Aquila, Dorado, Mirach
Fenris 40 17 Aquila, Garnet, Oberon
Garnet 55 23 Bastion, Fenris, Hesper
Hesper 66 23 Calyx, Garnet, Pallas
Ilium 80 26 Jotun, Kestrel, Pallas
Jotun 84 15 Calyx, Ilium, Kestrel
Kestrel 93 24 Ilium, Jotun, Quill
Lumen 5 35 Dorado, Rhea, Sirocco
Mirach 25 30 Dorado, Eridu, Nadir
Nadir 35 35 Mirach, Oberon, Tethys
Oberon 48 32 Fenris, Nadir, Umbra
Pallas 69 36 Hesper, Ilium, Vesper
Quill 95 36 Kestrel, Xanthe, Yarrow
Rhea 8 52 Lumen, Sirocco, Zephyr
Sirocco 21 44 Lumen, Rhea, Tethys
Tethys 32 47 Nadir, Sirocco, Arcady
Umbra 47 45 Oberon, Vesper, Borealis
Vesper 58 47 Pallas, Umbra, Wyvern
Wyvern 68 52 Vesper, Xanthe, Cinder, Delphi
Xanthe 83 45 Quill, Wyvern, Yarrow
Yarrow 93 52 Quill, Xanthe, Delphi
Zephyr 18 61 Rhea, Arcady, Ember
Arcady 34 60 Tethys, Zephyr, Borealis, Ember
Borealis 49 61 Umbra, Arcady, Fathom
Cinder 66 63 Wyvern, Gemini, Harrow
Delphi 83 65 Wyvern, Yarrow, Harrow
Ember 32 72 Zephyr, Arcady, Fathom
Fathom 47 74 Borealis, Ember, Gemini
Gemini 62 74 Cinder, Fathom, Harrow
Harrow 74 72 Cinder, Delphi, Gemini"""
NEIGHBOURS = {line.split()[0]: line.split(maxsplit=3)[3].split(", ") for line in MAP.splitlines()}
