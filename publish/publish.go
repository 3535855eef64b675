// Package publish turns a finished or partly finished wiki into a pull request.
package publish
