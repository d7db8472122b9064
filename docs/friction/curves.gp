# Columns of the .csv files: tau1, rigid1, bearing1, drive1. Rows 0-200 turn forward, 201-401 backward.
set terminal svg size 560,340 font "sans,12" background "white"
set datafile separator ","
set key left top
set grid lc rgb "#dddddd"
set style line 1 lw 2 lc rgb "#1f5fa8"
set style line 2 lw 2 lc rgb "#c0392b"
set style line 3 lw 2 lc rgb "#27823b"
v(row) = -1 + 0.01 * row

set xlabel "velocity (rad/s)"
set ylabel "friction (N m)"
set output "dry.svg"
plot "dry.csv" every ::1 using (v($0)):3 with lines ls 1 title "viscous and Coulomb"
set output "stribeck.svg"
plot "stribeck.csv" every ::1 using (v($0)):3 with lines ls 1 title "with a break-away torque (Stribeck)", \
     "dry.csv" every ::1 using (v($0)):3 with lines lw 1 lc rgb "#888888" title "without"
set output "smooth.svg"
set xrange [-0.3:0.3]
plot "stribeck.csv" every ::1 using (v($0)):3 with lines ls 1 title "sign at once", \
     "smooth.csv" every ::1 using (v($0)):3 with lines ls 2 title "sign within 0.03 rad/s"
unset xrange

set xlabel "reaction force across the axis, or force pushed (N)"
set key center top
set output "bearings.svg"
plot "journal.csv" every ::1::201 using 2:3 with lines ls 1 title "journal, load beside the supports", \
     "linear.csv" every ::1::201 using 2:3 with lines ls 2 title "linear, pushing beside its guide (N)", \
     "thrust.csv" every ::1::201 using 2:3 with lines ls 3 title "thrust, a weight of 9.81 N"

set key left top
set xlabel "output torque, of the rated one"
set ylabel "efficiency"
set xrange [0:1]
set yrange [0:1]
eta(out, lost) = out / (out + lost - 0.5)
set output "efficiency.svg"
plot "drive-linear.csv" every ::101::201 using ($2/10):($2 > 0 ? eta($2, $4) : 1/0) with lines ls 1 title "straight lines", \
     "drive-spline.csv" every ::101::201 using ($2/10):($2 > 0 ? eta($2, $4) : 1/0) with lines ls 2 title "natural cubic spline", \
     "-" using 1:2 with points pt 7 ps 0.6 lc rgb "black" title "points given"
0.02,0.3
0.1,0.55
0.3,0.7
0.6,0.78
1,0.8
e
unset xrange
unset yrange
set xlabel "output torque (N m)"
set ylabel "input torque, seen at the joint (N m)"
set xrange [-6:6]
set output "drive.svg"
plot "drive-spline.csv" every ::1::201 using 2:1 with lines ls 1 title "moving forward", \
     "drive-spline.csv" every ::202 using 2:1 with lines ls 2 title "moving backward", \
     x with lines lc rgb "#888888" title "no loss"
