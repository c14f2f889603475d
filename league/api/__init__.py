"""The API of leagues and tournaments: views that call a service or selector with typed shapes."""
