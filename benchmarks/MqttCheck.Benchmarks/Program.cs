using BenchmarkDotNet.Running;
using MqttCheck.Benchmarks;
using MqttCheck.Benchmarks.Automata;
using MqttCheck.Benchmarks.Clusters;
using MqttCheck.Benchmarks.Conformance;
using MqttCheck.Benchmarks.Designs;
using MqttCheck.Benchmarks.Fleets;
using MqttCheck.Benchmarks.Learning;
using MqttCheck.Benchmarks.Loads;
using MqttCheck.Benchmarks.Pages;
using MqttCheck.Benchmarks.Protocol;
using MqttCheck.Benchmarks.Wire;
using MqttCheck.Benchmarks.Workers;

return args switch
{
    ["fuzz-packets", .. var rest] => FuzzPackets.Run(rest),
    ["fleet", .. var rest] => FleetComparison.Run(rest),
    ["cores", .. var rest] => CoreScaling.Run(rest),
    ["cell", .. var rest] => PaperCell.Run(rest),
    ["network", .. var rest] => NetworkSpeed.Run(rest),
    ["splitting", .. var rest] => SplittingAccuracy.Run(rest),
    ["learning", .. var rest] => LatencyDraws.Run(rest),
    ["broker", .. var rest] => await BrokerComparison.RunAsync(rest),
    ["pairs", .. var rest] => await PairsSpeed.RunAsync(rest),
    ["wire-error", .. var rest] => await WireError.RunAsync(rest),
    ["log", .. var rest] => LogSpeed.Run(rest),
    ["log-read", .. var rest] => LogSpeed.Read(rest),
    ["many-clients", .. var rest] => await ManyClients.RunAsync(rest),
    ["found-fleets", .. var rest] => FoundFleets.Run(rest),
    ["client-cost", .. var rest] => await ClientCost.RunAsync(rest),
    ["client-cost-one", .. var rest] => ClientCost.RunOne(rest),
    ["idle", .. var rest] => await IdleConnections.RunAsync(rest),
    ["handshakes", .. var rest] => await HandshakeLoad.RunAsync(rest),
    ["retained", .. var rest] => await RetainedLoad.RunAsync(rest),
    ["check", .. var rest] => await CheckSpeed.RunAsync(rest),
    ["coverage", .. var rest] => CoverageTable.Run(rest),
    ["mutants", .. var rest] => await MutantTable.RunAsync(rest),
    ["legal", .. var rest] => await LegalTable.RunAsync(rest),
    ["links", ..] => await LinkSpeed.RunAsync(),
    ["cluster-speed", .. var rest] => ClusterSpeed.Run(rest),
    ["register"] => RegisterSpeed.Run(),
    ["node-dies", .. var rest] => await NodeDies.RunAsync(rest),
    ["workers", .. var rest] => await WorkerScaling.RunAsync(rest),
    ["workers-serve", .. var rest] => await WorkerScaling.ServeAsync(rest),
    ["page-moves", .. var rest] => await PageMoves.RunAsync(rest),
    ["requirement-designs"] => RequirementDesigns.Run(),
    ["look-designs"] => LookDesigns.Run(),
    ["verdict-designs"] => VerdictDesigns.Run(),
    ["level-changes"] => LevelChangeDesigns.Run(),
    ["serve", .. var rest] => await ServedBroker.ServeAsync(rest),
    _ => RunBenchmarks(args),
};

static int RunBenchmarks(string[] args)
{
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
    return 0;
}
