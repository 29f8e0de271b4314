package project

import "strings"

// known pairs the modules of common packages with the packages that bring
// them, as indexes write the names. A module stands alone where both have one
// name. Taken from the packages' own documentation.
const known = `
yaml=pyyaml,ruamel-yaml dotenv=python-dotenv bs4=beautifulsoup4 fitz=pymupdf,pymupdfb pymupdf=pymupdf PIL=pillow,pillow-simd cv2=opencv-python,opencv-python-headless,opencv-contrib-python
sklearn=scikit-learn dateutil=python-dateutil git=gitpython jwt=pyjwt OpenSSL=pyopenssl Crypto=pycryptodome,pycrypto psycopg2=psycopg2,psycopg2-binary MySQLdb=mysqlclient pymysql=pymysql
requests numpy=numpy pandas=pandas scipy=scipy matplotlib=matplotlib flask=flask fastapi=fastapi,fastapi-slim pydantic=pydantic,pydantic-ai pydantic_settings=pydantic-settings
langgraph=langgraph langchain=langchain langchain_core=langchain-core langchain_openai=langchain-openai langchain_community=langchain-community langchain_groq=langchain-groq
langchain_anthropic=langchain-anthropic langchain_google_genai=langchain-google-genai langchain_ollama=langchain-ollama langsmith=langsmith openai=openai anthropic=anthropic
pypdf=pypdf PyPDF2=pypdf2 pdfplumber=pdfplumber docling=docling,docling-slim rich=rich typer=typer,typer-slim click=click httpx=httpx aiohttp=aiohttp uvicorn=uvicorn starlette=starlette
sqlalchemy=sqlalchemy sqlmodel=sqlmodel alembic=alembic redis=redis celery=celery boto3=boto3 botocore=botocore pymongo=pymongo jinja2=jinja2 werkzeug=werkzeug markdown=markdown
tenacity=tenacity loguru=loguru structlog=structlog streamlit=streamlit gradio=gradio tqdm=tqdm networkx=networkx tree_sitter=tree-sitter libcst=libcst lxml=lxml torch=torch
transformers=transformers nltk=nltk spacy=spacy tiktoken=tiktoken chromadb=chromadb psutil=psutil paramiko=paramiko cryptography=cryptography simplejson=simplejson ujson=ujson orjson=orjson
tabulate=tabulate termcolor=termcolor colorama=colorama toml=toml websockets=websockets gevent=gevent mcp=mcp jsonschema=jsonschema docx=python-docx pptx=python-pptx openpyxl=openpyxl
reportlab=reportlab weasyprint=weasyprint selenium=selenium playwright=playwright ollama=ollama groq=groq cohere=cohere tinydb=tinydb peewee=peewee passlib=passlib bcrypt=bcrypt pyotp=pyotp`

// packages are the packages that bring a module, nil when that is not known.
func packages(module string) []string {
	for word := range strings.FieldsSeq(known) {
		if name, list, ok := strings.Cut(word, "="); name == module {
			if !ok {
				return []string{name}
			}
			return strings.Split(list, ",")
		}
	}
	return nil
}

// modulesOf are the modules that a package brings, if it is known and of use
// only to code that imports it: not a server, driver or helper that others
// start or find.
func modulesOf(pkg string) []string {
	switch pkg {
	case "uvicorn", "python-dotenv", "pillow", "lxml", "tiktoken", "psycopg2", "psycopg2-binary", "mysqlclient", "pymysql", "gevent", "tree-sitter", "alembic", "streamlit",
		"celery", "cryptography", "passlib", "bcrypt", "openpyxl", "tabulate", "torch", "transformers", "starlette", "botocore", "websockets", "langchain-core", "langchain-community",
		"langchain", "langsmith", "jinja2", "werkzeug", "orjson", "ujson", "colorama", "aiohttp", "matplotlib", "scipy", "numpy", "markdown", "jsonschema", "nltk", "spacy", "playwright", "pydantic":
		return nil
	}
	var out []string
	for word := range strings.FieldsSeq(known) {
		name, list, ok := strings.Cut(word, "=")
		if !ok {
			list = name
		}
		for one := range strings.SplitSeq(list, ",") {
			if one == pkg {
				out = append(out, name)
			}
		}
	}
	return out
}

// brings are modules that a package is known to bring along and to hand on.
var brings = map[string][]string{
	"fastapi": {"pydantic", "starlette"}, "flask": {"werkzeug", "jinja2", "click"}, "typer": {"click", "rich"}, "pandas": {"numpy", "dateutil"},
	"scikit-learn": {"numpy", "scipy"}, "scipy": {"numpy"}, "matplotlib": {"numpy", "PIL"}, "opencv-python": {"numpy"}, "opencv-python-headless": {"numpy"}, "torch": {"numpy"},
	"streamlit": {"pandas", "numpy"}, "gradio": {"numpy", "pandas"}, "transformers": {"numpy", "torch"}, "langgraph": {"langchain_core", "pydantic"}, "langchain": {"langchain_core", "pydantic", "langsmith", "requests", "yaml"},
	"langchain-core": {"pydantic", "langsmith", "tenacity", "yaml"}, "langchain-openai": {"openai", "langchain_core", "pydantic", "tiktoken"}, "langchain-community": {"langchain_core", "langchain", "requests", "pydantic", "sqlalchemy"},
	"langchain-anthropic": {"anthropic", "langchain_core", "pydantic"}, "langchain-groq": {"groq", "langchain_core", "pydantic"}, "langchain-ollama": {"ollama", "langchain_core", "pydantic"}, "langchain-google-genai": {"langchain_core", "pydantic"},
	"sqlmodel": {"sqlalchemy", "pydantic"}, "pydantic-settings": {"pydantic", "dotenv"}, "openai": {"httpx", "pydantic"}, "anthropic": {"httpx", "pydantic"}, "boto3": {"botocore"}, "docling": {"pydantic", "pandas", "PIL"},
	"flask-sqlalchemy": {"sqlalchemy", "flask"}, "flask-login": {"flask"}, "djangorestframework": {"django"}, "alembic": {"sqlalchemy"}, "chromadb": {"numpy", "httpx", "pydantic"}, "mcp": {"pydantic", "httpx", "starlette"},
	"python-jose": {"cryptography"}, "spacy": {"numpy", "typer"}, "celery": {"click"}, "tree-sitter-languages": {"tree_sitter"}, "uvicorn": {"click"}, "nltk": {"click", "tqdm"},
}
