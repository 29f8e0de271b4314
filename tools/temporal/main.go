// Command temporal is a Temporal server for one machine: all four services in one process, a file of SQLite under it,
// loopback only. It is what the tests of many machines are run against, and not for anything that matters.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const loopback = "127.0.0.1"

func main() {
	port := flag.Int("port", 7233, "first of four ports on loopback that follow each other")
	file := flag.String("db", "temporal.db", "file of the database; it is made when it is not there")
	space := flag.String("namespace", "default", "namespace that is made")
	flag.Parse()
	if err := run(*port, *file, *space); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "temporal:", err)
		os.Exit(1)
	}
}

// run serves until the process is told to end.
func run(port int, file, space string) error {
	c := configOf(port, file)
	db := c.Persistence.DataStores[sqliteplugin.PluginName].SQL
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := sqlite.SetupSchema(db); err != nil {
			return fmt.Errorf("making the tables: %w", err)
		}
	}
	ns, err := sqlite.NewNamespaceConfig(c.ClusterMetadata.CurrentClusterName, space, false, nil)
	if err != nil {
		return err
	}
	if err := sqlite.CreateNamespaces(db, ns); err != nil {
		return fmt.Errorf("making the namespace: %w", err)
	}
	logger := log.NewZapLogger(log.BuildZapLogger(log.Config{Stdout: false, Level: "error"}))
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name, s := range c.Services {
		hosts[primitives.ServiceName(name)] = static.SingleLocalHost(net.JoinHostPort(loopback, fmt.Sprint(s.RPC.GRPCPort)))
	}
	server, err := temporal.NewServer(temporal.WithConfig(c), temporal.ForServices(temporal.DefaultServices), temporal.WithLogger(logger),
		temporal.WithStaticHosts(hosts), temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.InterruptOn(temporal.InterruptCh()))
	if err != nil {
		return err
	}
	return server.Start()
}

func configOf(port int, file string) *config.Config {
	db := &config.SQL{PluginName: sqliteplugin.PluginName, DatabaseName: file,
		ConnectAttributes: map[string]string{"mode": "rwc", "_journal_mode": "wal", "_synchronous": "1"}}
	front := fmt.Sprintf("%s:%d", loopback, port)
	services := map[string]config.Service{}
	for n, name := range []primitives.ServiceName{primitives.FrontendService, primitives.HistoryService, primitives.MatchingService, primitives.WorkerService} {
		services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port + n, BindOnLocalHost: true}}
	}
	return &config.Config{
		Global: config.Global{Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: loopback}},
		Persistence: config.Persistence{DefaultStore: sqliteplugin.PluginName, VisibilityStore: sqliteplugin.PluginName, NumHistoryShards: 4,
			DataStores: map[string]config.DataStore{sqliteplugin.PluginName: {SQL: db}}},
		ClusterMetadata: &cluster.Config{FailoverVersionIncrement: 10, MasterClusterName: "active", CurrentClusterName: "active",
			ClusterInformation: map[string]cluster.ClusterInformation{"active": {Enabled: true, InitialFailoverVersion: 1, RPCAddress: front}}},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services:            services,
		Archival:            config.Archival{History: config.HistoryArchival{State: "disabled"}, Visibility: config.VisibilityArchival{State: "disabled"}},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History: config.HistoryArchivalNamespaceDefaults{State: "disabled"}, Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"}}},
		PublicClient: config.PublicClient{HostPort: front},
	}
}
