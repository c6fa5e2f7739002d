package image

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

const hostArchitecture = runtime.GOARCH

// file is a file or folder of an image. The folders above it are made for it.
type file struct {
	name   string // slashes, none in front
	folder bool
	mode   int64
	data   []byte
}

// certificatesFile holds the certificate authorities that a manager trusts when it calls services on the internet.
const certificatesFile = "etc/ssl/certs/ca-certificates.crt"

// hostCertificates are the places where systems keep the same.
var hostCertificates = []string{
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
	"/etc/ssl/cert.pem",
}

// baseFiles are what a static binary expects of the system under it: its user's name, trusted authorities, and a place for
// temporary files. When the host has no authorities to copy, warnings says so.
func baseFiles(warnings io.Writer) []file {
	files := []file{
		{name: "etc/passwd", mode: 0o644, data: []byte("root:x:0:0:root:/root:/sbin/nologin\n" +
			"nonroot:x:" + nonroot + ":" + nonroot + ":nonroot:/home/nonroot:/sbin/nologin\n")},
		{name: "etc/group", mode: 0o644, data: []byte("root:x:0:\nnonroot:x:" + nonroot + ":\n")},
		{name: "tmp", folder: true, mode: 0o1777},
	}
	for _, place := range hostCertificates {
		if data, err := os.ReadFile(place); err == nil {
			return append(files, file{name: certificatesFile, mode: 0o644, data: data})
		}
	}
	fmt.Fprintf(warnings, "warning: this machine has none of %s, so the image trusts no certificate authority "+
		"of the internet\n", strings.Join(hostCertificates, ", "))
	return files
}

// layer packs files. Times and owners are always the same, so equal files make equal layers.
func layer(files []file) (v1.Layer, error) {
	var packed bytes.Buffer
	archive := tar.NewWriter(&packed)
	made := map[string]bool{".": true}
	for _, f := range files {
		if err := addFolders(archive, path.Dir(f.name), made); err != nil {
			return nil, err
		}
		if err := addFile(archive, f); err != nil {
			return nil, err
		}
		made[f.name] = f.folder
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	})
}

func addFile(archive *tar.Writer, f file) error {
	header := &tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: f.mode, Size: int64(len(f.data)), ModTime: time.Unix(0, 0)}
	if f.folder {
		header.Name, header.Typeflag = f.name+"/", tar.TypeDir
	}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err := archive.Write(f.data)
	return err
}

// addFolders adds dir, and the folders above it, that are not made yet.
func addFolders(archive *tar.Writer, dir string, made map[string]bool) error {
	if made[dir] {
		return nil
	}
	if err := addFolders(archive, path.Dir(dir), made); err != nil {
		return err
	}
	made[dir] = true
	return addFile(archive, file{name: dir, folder: true, mode: 0o755})
}
