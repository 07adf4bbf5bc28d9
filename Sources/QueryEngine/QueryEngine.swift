// QueryEngine
