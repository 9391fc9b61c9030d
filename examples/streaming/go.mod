module streaming

go 1.22
