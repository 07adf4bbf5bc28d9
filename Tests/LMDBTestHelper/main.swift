import Glibc
import LMDB
