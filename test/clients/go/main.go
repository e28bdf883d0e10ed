// Drives a service by the client that oapi-codegen makes of its OpenAPI document, in the folder muster beside this file.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"clients/muster"
)

const account = "go-client"

func main() {
	if err := drive(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("all answers were as described")
}

func drive(ctx context.Context) error {
	client, err := muster.NewClientWithResponses(os.Getenv("MUSTER_URL"), muster.WithRequestEditorFn(logIn))
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context, *muster.ClientWithResponses) error{
		createAccount, saveHosts, readHost, listHosts, importLines, meetErrors,
	} {
		if err := part(ctx, client); err != nil {
			return err
		}
	}
	return nil
}

func logIn(_ context.Context, request *http.Request) error {
	request.SetBasicAuth(os.Getenv("MUSTER_USER"), os.Getenv("MUSTER_PASSWORD"))
	return nil
}

func createAccount(ctx context.Context, client *muster.ClientWithResponses) error {
	var body muster.RulesImportRulesOfTypeJSONRequestBody
	if err := fill(&body, map[string]any{"name": account, "type": "api", "enabled": true}); err != nil {
		return err
	}
	answer, err := client.RulesImportRulesOfTypeWithResponse(ctx, "accounts", nil, body)
	if err != nil {
		return err
	}
	if answer.JSON201 == nil || answer.JSON201.Imported != 1 {
		return unexpected("the new account", answer.Body)
	}
	return nil
}

func saveHosts(ctx context.Context, client *muster.ClientWithResponses) error {
	var one muster.HostsSaveHostJSONRequestBody
	if err := fill(&one, map[string]any{"account": account, "labels": map[string]any{"site": "Bogotá", "cpus": 8}}); err != nil {
		return err
	}
	saved, err := client.HostsSaveHostWithResponse(ctx, "go01.example.org", one)
	if err != nil {
		return err
	}
	if saved.JSON200 == nil || saved.JSON200.Status != "saved" {
		return unexpected("a saved host", saved.Body)
	}
	var many muster.HostsSaveHostsBulkJSONRequestBody
	objects := []map[string]any{}
	for _, name := range []string{"go02.example.org", "go03.example.org"} {
		objects = append(objects, map[string]any{"hostname": name, "labels": map[string]any{"tags": []string{"a", "b"}}})
	}
	if err := fill(&many, map[string]any{"account": account, "objects": objects}); err != nil {
		return err
	}
	all, err := client.HostsSaveHostsBulkWithResponse(ctx, many)
	if err != nil {
		return err
	}
	if all.JSON200 == nil || all.JSON200.Status != "saved 2" || len(all.JSON200.NotSaved) != 0 {
		return unexpected("saved hosts", all.Body)
	}
	return nil
}

func readHost(ctx context.Context, client *muster.ClientWithResponses) error {
	answer, err := client.HostsGetHostWithResponse(ctx, "go01.example.org")
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || answer.JSON200.Hostname != "go01.example.org" {
		return unexpected("the host", answer.Body)
	}
	site, err := json.Marshal(answer.JSON200.Labels["site"])
	if err != nil || string(site) != `"Bogotá"` {
		return unexpected("its label", site)
	}
	return nil
}

// Every host comes once, whatever the pages are.
func listHosts(ctx context.Context, client *muster.ClientWithResponses) error {
	start, limit := 0, 300
	seen := map[string]bool{}
	params := &muster.HostsListHostsParams{Start: &start, Limit: &limit}
	for {
		page, err := client.HostsListHostsWithResponse(ctx, params)
		if err != nil {
			return err
		}
		if page.JSON200 == nil {
			return unexpected("a page of hosts", page.Body)
		}
		for _, host := range page.JSON200.Results {
			seen[host.Hostname] = true
		}
		start += limit
		if start >= page.JSON200.Size {
			if len(seen) != page.JSON200.Size || !seen["go03.example.org"] {
				return fmt.Errorf("%d of %d hosts were listed", len(seen), page.JSON200.Size)
			}
			return nil
		}
	}
}

func importLines(ctx context.Context, client *muster.ClientWithResponses) error {
	lines := `{"rule_type": "custom_attributes"}` + "\n" +
		`{"name": "by go", "condition_typ": "anyway", "outcomes": [{"attribute_name": "by", "attribute_value": "go"}]}` + "\n"
	answer, err := client.RulesImportRulesWithTextBodyWithResponse(ctx, &muster.RulesImportRulesParams{}, lines)
	if err != nil {
		return err
	}
	if answer.JSON201 == nil || answer.JSON201.Imported["custom_attributes"] != 1 {
		return unexpected("the imported rule", answer.Body)
	}
	return nil
}

func meetErrors(ctx context.Context, client *muster.ClientWithResponses) error {
	missing, err := client.HostsGetHostWithResponse(ctx, "no.example.org")
	if err != nil {
		return err
	}
	if missing.JSON404 == nil || missing.JSON404.Code != "not_found" {
		return unexpected("that there is no host", missing.Body)
	}
	stranger, err := muster.NewClientWithResponses(os.Getenv("MUSTER_URL"))
	if err != nil {
		return err
	}
	refused, err := stranger.HostsGetHostWithResponse(ctx, "go01.example.org")
	if err != nil {
		return err
	}
	if refused.JSON401 == nil || refused.JSON401.Code != "unauthenticated" {
		return unexpected("a refusal", refused.Body)
	}
	return nil
}

// Unions have members that are not exported: they are filled from JSON.
func fill(body any, from map[string]any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, body)
}

func unexpected(wanted string, body []byte) error {
	return fmt.Errorf("the answer was not %s: %s", wanted, body)
}
