// Package liblately is the library as an archive for each platform, with its
// header and the licences of what is in them. Package lately links it.
package liblately
