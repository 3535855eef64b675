package language

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	// https://github.com/langchain-ai/openwiki/pull/761
	for _, test := range []struct{ in, want string }{
		{"", ""}, {"  \t", ""},
		{"en", "en"}, {" en ", "en"}, {"EN", "en"},
		{"pt-br", "pt-BR"}, {"PT_br", "pt-BR"}, {"zh_CN", "zh-CN"}, {"zh", "zh"}, {"zh-hans", "zh-Hans"},
		{"iw", "he"}, {"tlh", "tlh"}, {"fil", "fil"}, {"sr-Latn-RS", "sr-Latn-RS"},
	} {
		tag, err := Parse(test.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", test.in, err)
		}
		if got := tag.String(); got != test.want {
			t.Errorf("Parse(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestParse_Error(t *testing.T) {
	for _, in := range []string{"klingon", "english", "xx", "und", "mul", "zxx", "qaa", "x-private", "en-ZZZZZ", "e", "en us", "-", "de;q=1"} {
		_, err := Parse(in)
		var unknown *UnknownError
		if !errors.As(err, &unknown) {
			t.Errorf("Parse(%q) = %v, want *UnknownError", in, err)
			continue
		}
		if unknown.Value != in || !strings.Contains(err.Error(), `"`+in+`"`) || !strings.Contains(unknown.Hint(), "pt-BR") {
			t.Errorf("Parse(%q): error %q, hint %q; want the value and an example", in, err, unknown.Hint())
		}
	}
}

func TestPrimary(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", "en"}, {"  ", "en"}, {"en-GB", "en"}, {"PT_br", "pt"}, {"zh-Hans", "zh"}, {"de", "de"},
	} {
		if got := Primary(test.in); got != test.want {
			t.Errorf("Primary(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestIndexLabels(t *testing.T) {
	for _, test := range []struct{ tag, files, dirs string }{
		{"", "Files", "Directories"},
		{"en-GB", "Files", "Directories"},
		{"tlh", "Files", "Directories"},
		{"de", "Dateien", "Verzeichnisse"},
		{"pt", "Arquivos", "Diretórios"},
		{"pt-BR", "Arquivos", "Diretórios"},
		{"pt-PT", "Ficheiros", "Diretórios"},
		{"zh", "文件", "目录"},
		{"zh-CN", "文件", "目录"},
		{"zh-TW", "檔案", "目錄"},
		{"vi", "Tập tin", "Thư mục"},
		{"hi", "फ़ाइलें", "निर्देशिकाएँ"},
		{"no", "Filer", "Mapper"},
	} {
		files, dirs := IndexLabels(test.tag)
		if files != test.files || dirs != test.dirs {
			t.Errorf("IndexLabels(%q) = %q, %q, want %q, %q", test.tag, files, dirs, test.files, test.dirs)
		}
	}
	if got := len(indexLabels()); got != 38 {
		t.Errorf("index label table has %d languages, want 38", got)
	}
	if all := AllIndexLabels(); !all["Files"] || !all["目錄"] || all[""] {
		t.Errorf("AllIndexLabels() lacks a heading or holds a blank one")
	}
}

func TestFallbackType(t *testing.T) {
	for _, test := range []struct{ tag, want string }{
		{"", "Reference"}, {"fi", "Reference"}, {"de-AT", "Referenz"}, {"zh", "参考"}, {"zh-TW", "參考"}, {"vi", "Tham khảo"}, {"pt-BR", "Referência"},
	} {
		if got := FallbackType(test.tag); got != test.want {
			t.Errorf("FallbackType(%q) = %q, want %q", test.tag, got, test.want)
		}
	}
	if got := len(fallbackTypes()); got != 31 {
		t.Errorf("fallback type table has %d languages, want 31", got)
	}
}

func TestEnglishName(t *testing.T) {
	for _, test := range []struct{ tag, want string }{
		{"", "English"}, {"de", "German"}, {"pt-BR", "Portuguese (pt-BR)"}, {"nb", "Norwegian Bokmål"}, {"zh-TW", "Chinese (zh-TW)"}, {"ksh", "ksh"},
	} {
		if got := EnglishName(test.tag); got != test.want {
			t.Errorf("EnglishName(%q) = %q, want %q", test.tag, got, test.want)
		}
	}
}
