print("objquery")
