print("sum")
