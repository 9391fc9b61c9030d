package filetext

import "strings"

// insert reads an inserted document. Inside another inserted one, it only counts it.
func (r *wordReader) insert(name string) {
	text, err := "", errDamaged
	var left left
	if !r.inserted {
		text, err = r.archive.inserted(name, &left)
	}
	if err != nil || strings.TrimSpace(text) == "" {
		r.out.left.parts++
		return
	}
	r.out.left.add(left)
	r.out.insert(text)
}

// inserted returns the text of a part that is a document itself.
func (a *archive) inserted(name string, left *left) (string, error) {
	data, err := a.content(name)
	if err != nil {
		return "", err
	}
	kind, err := kindOf(name, data)
	if err != nil {
		return "", err
	}
	switch kind {
	case docx:
		inner, err := openArchive(data)
		if err != nil {
			return "", err
		}
		inner.left = a.left
		text, err := readWord(inner, left, true)
		a.left = inner.left
		return text, err
	case page:
		text, err := decode(data, declaredIn(data), left)
		if err != nil {
			return "", err
		}
		return readPage(text, left, true)
	case plain:
		return decode(data, nil, left)
	default:
		return "", errDamaged
	}
}

// insert reads an inserted page, except in one that is inserted itself.
func (r *pageReader) insert(page string) {
	if r.place().unseen {
		r.out.left.hidden++
		return
	}
	if page == "" || r.inserted {
		r.out.left.parts++
		return
	}
	var left left
	text, err := readPage(page, &left, true)
	if err != nil {
		r.out.left.parts++
		return
	}
	r.out.left.add(left)
	r.end()
	r.out.insert(text)
}
