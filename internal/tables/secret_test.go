package tables

import (
	"regexp"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "DB_PASSWORD": true, "user.passwd": true, "settings['SECRET_KEY']": true, "openaiApiKey": true, "APIKey": true, "X-Api-Key": true,
		"client_secret": true, "accessToken": true, "pwd": true, "token": true, "GITHUB_TOKEN": true, "githubPat": true,
		"password_length": false, "secret_number": false, "otp": false, "compat": false, "keyboard": false, "cwd": false, "tokenizer": false, "": false,
	} {
		if got := NamesLogin(name); got != want {
			t.Errorf("NamesLogin(%q) = %v", name, got)
		}
	}
	for name, want := range map[string]bool{"token": false, "otp": true, "session_token": true, "credentials": false, "password_length": false} {
		if got := NamesUnguessable(name); got != want {
			t.Errorf("NamesUnguessable(%q) = %v", name, got)
		}
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{"user.password.encode()": true, "passwords[i]": true, "pwd.encode()": true, "cwd": false, "pwdless": false} {
		if got := MentionsPassword(text); got != want {
			t.Errorf("MentionsPassword(%q) = %v", text, got)
		}
	}
	for text, want := range map[string]bool{"API_KEYS": true, "SECRET_KEY_BASE": true, "page_token": false, "DATABASE_URL": false} {
		if got := MentionsSecret(text); got != want {
			t.Errorf("MentionsSecret(%q) = %v", text, got)
		}
	}
	if !MentionsPrivate("DATABASE_URL") || !MentionsPrivate("page_token") || MentionsPrivate("LOG_LEVEL") {
		t.Error("private is what names a secret, any token, or where something private is")
	}
}

func TestForms(t *testing.T) {
	for _, r := range Of(Key) {
		re, err := regexp.Compile(r.Form)
		if err != nil || r.Form == "" || re.NumSubexp() > 0 {
			t.Errorf("the form of %s is no pattern without groups: %v", r.Role, err)
		}
	}
}
