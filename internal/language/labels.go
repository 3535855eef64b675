package language

import (
	"strings"
	"sync"
)

// IndexLabels returns the headings of the two lists of a generated index file
// in the language of tag.
func IndexLabels(tag string) (files, dirs string) {
	pair, _ := lookup(indexLabels(), tag)
	files, dirs, _ = strings.Cut(pair, "/")
	return files, dirs
}

// AllIndexLabels returns every heading an index file can have in any language,
// so that a generated index is recognized after a change of language.
func AllIndexLabels() map[string]bool {
	all := map[string]bool{}
	for _, pair := range indexLabels() {
		files, dirs, _ := strings.Cut(pair, "/")
		all[files], all[dirs] = true, true
	}
	return all
}

// FallbackType returns the concept type of a page that declares none, in the
// language of tag.
func FallbackType(tag string) string {
	name, _ := lookup(fallbackTypes(), tag)
	return name
}

// lookup tries the exact tag, the primary subtag, then English.
func lookup(table map[string]string, tag string) (string, bool) {
	exact := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"))
	for _, key := range []string{exact, Primary(tag), Default} {
		if value, ok := table[key]; ok {
			return value, true
		}
	}
	return "", false
}

var indexLabels = sync.OnceValue(func() map[string]string {
	return table(`
en Files/Directories
ar ملفات/مجلدات
bg Файлове/Директории
ca Fitxers/Directoris
cs Soubory/Adresáře
da Filer/Mapper
de Dateien/Verzeichnisse
el Αρχεία/Κατάλογοι
es Archivos/Directorios
fi Tiedostot/Hakemistot
fr Fichiers/Répertoires
he קבצים/תיקיות
hi फ़ाइलें/निर्देशिकाएँ
hr Datoteke/Direktoriji
hu Fájlok/Könyvtárak
id Berkas/Direktori
it File/Cartelle
ja ファイル/ディレクトリ
ko 파일/디렉터리
ms Fail/Direktori
nb Filer/Mapper
no Filer/Mapper
nl Bestanden/Mappen
pl Pliki/Katalogi
pt Arquivos/Diretórios
pt-pt Ficheiros/Diretórios
ro Fișiere/Directoare
ru Файлы/Каталоги
sk Súbory/Adresáre
sl Datoteke/Mape
sr Датотеке/Директоријуми
sv Filer/Kataloger
th ไฟล์/ไดเรกทอรี
tr Dosyalar/Dizinler
uk Файли/Каталоги
vi Tập tin/Thư mục
zh 文件/目录
zh-tw 檔案/目錄`)
})

var fallbackTypes = sync.OnceValue(func() map[string]string {
	return table(`
en Reference
ar مرجع
ca Referència
cs Reference
da Reference
de Referenz
el Αναφορά
es Referencia
fr Référence
hi संदर्भ
hr Referenca
id Referensi
it Riferimento
ja リファレンス
ko 참조
ms Rujukan
nb Referanse
no Referanse
nl Referentie
pt Referência
ro Referință
ru Справочник
sk Referencia
sr Референца
sv Referens
th อ้างอิง
tr Referans
uk Довідник
vi Tham khảo
zh 参考
zh-tw 參考`)
})

// table reads lines of "key value".
func table(text string) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			rows[key] = value
		}
	}
	return rows
}
