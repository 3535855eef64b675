package language

import "sync"

// englishNames maps primary subtags to English names: the two-letter codes and
// the three-letter ones that occur in documentation. The display tables of
// x/text know more, but cost half a millisecond of every start of the program.
var englishNames = sync.OnceValue(func() map[string]string {
	return table(`
aa Afar
ab Abkhazian
af Afrikaans
ak Akan
am Amharic
an Aragonese
ar Arabic
as Assamese
ast Asturian
av Avaric
ay Aymara
az Azerbaijani
ba Bashkir
be Belarusian
bg Bulgarian
bm Bambara
bn Bangla
bo Tibetan
br Breton
bs Bosnian
ca Catalan
ce Chechen
ceb Cebuano
ch Chamorro
chr Cherokee
ckb Central Kurdish
cmn Mandarin Chinese
co Corsican
cs Czech
cv Chuvash
cy Welsh
da Danish
de German
dv Divehi
dz Dzongkha
ee Ewe
el Greek
en English
eo Esperanto
es Spanish
et Estonian
eu Basque
fa Persian
ff Fula
fi Finnish
fil Filipino
fj Fijian
fo Faroese
fr French
fy Western Frisian
ga Irish
gd Scottish Gaelic
gl Galician
gn Guarani
gsw Swiss German
gu Gujarati
gv Manx
ha Hausa
haw Hawaiian
he Hebrew
hi Hindi
hr Croatian
hsb Upper Sorbian
ht Haitian Creole
hu Hungarian
hy Armenian
ia Interlingua
id Indonesian
ig Igbo
ii Sichuan Yi
is Icelandic
it Italian
iu Inuktitut
ja Japanese
jbo Lojban
jv Javanese
ka Georgian
kab Kabyle
kk Kazakh
kl Kalaallisut
km Khmer
kn Kannada
ko Korean
kok Konkani
ks Kashmiri
ku Kurdish
kw Cornish
ky Kyrgyz
la Latin
lb Luxembourgish
lg Ganda
ln Lingala
lo Lao
lt Lithuanian
lv Latvian
mai Maithili
mg Malagasy
mi Maori
mk Macedonian
ml Malayalam
mn Mongolian
mr Marathi
ms Malay
mt Maltese
my Burmese
nb Norwegian Bokmål
nds Low German
ne Nepali
nl Dutch
nn Norwegian Nynorsk
no Norwegian
nso Northern Sotho
ny Nyanja
oc Occitan
om Oromo
or Odia
os Ossetic
pa Punjabi
pl Polish
ps Pashto
pt Portuguese
qu Quechua
rm Romansh
ro Romanian
ru Russian
rw Kinyarwanda
sa Sanskrit
sc Sardinian
sd Sindhi
se Northern Sami
si Sinhala
sk Slovak
sl Slovenian
sm Samoan
sn Shona
so Somali
sq Albanian
sr Serbian
ss Swati
st Southern Sotho
su Sundanese
sv Swedish
sw Swahili
ta Tamil
te Telugu
tg Tajik
th Thai
ti Tigrinya
tk Turkmen
tlh Klingon
tn Tswana
to Tongan
tr Turkish
ts Tsonga
tt Tatar
ug Uyghur
uk Ukrainian
ur Urdu
uz Uzbek
ve Venda
vi Vietnamese
wo Wolof
xh Xhosa
yi Yiddish
yo Yoruba
yue Cantonese
zh Chinese
zu Zulu`)
})
