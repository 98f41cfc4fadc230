# Brings a package that cpack has made into Debian's own form: libraries in the folder of their architecture, Multi-Arch, a changelog,
# man pages that are compressed, and a trigger in place of scripts that call ldconfig.
#   sh debian.sh <package> <version> <folder of libraries> <folder of the files that name that folder>
set -eu
umask 022
deb=$1 version=$2 libdir=$3 descriptions=$4

rm -rf "$deb.tree"
dpkg-deb --raw-extract "$deb" "$deb.tree"
cd "$deb.tree"
documents=usr/share/doc/$(sed -n 's/^Package: //p' DEBIAN/control)

if [ -d usr/lib ]; then
    mv usr/lib usr/libraries
    mkdir usr/lib
    mv usr/libraries "usr/$libdir"
    for file in pkgconfig/lately.pc pkgconfig/lately-static.pc cmake/lately/latelyConfig.cmake; do
        [ ! -e "usr/$libdir/$file" ] || cp "$descriptions/${file##*/}" "usr/$libdir/$file"
    done
fi
sort=same
[ ! -d usr/bin ] || sort=foreign
sed -i "1i Multi-Arch: $sort" DEBIAN/control
# No script of a package calls ldconfig: dpkg calls it once for all of them.
if [ -e DEBIAN/postinst ]; then
    rm DEBIAN/postinst DEBIAN/postrm
    echo "activate-noawait ldconfig" >DEBIAN/triggers
fi
# The changes of a version stand in CHANGELOG.md; Debian wants to know when and by whom.
cat >"$documents/changelog" <<end
lately ($version) unstable; urgency=medium

  * What changed stands in CHANGELOG.md of the sources.

 -- the lately developers <packages@lately.invalid>  Thu, 01 Jan 2026 00:00:00 +0000
end
# Without names and times in them, so that the same files give the same bytes.
find usr '(' -name changelog -o -path '*/man1/*' ')' -exec gzip -9 -n {} +
find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums

cd ..
dpkg-deb --root-owner-group -Zxz --build "$deb.tree" "$deb"
rm -r "$deb.tree"
