using BenchmarkDotNet.Running;
using MqttCheck.Benchmarks.Automata;
using MqttCheck.Benchmarks.Learning;
using MqttCheck.Benchmarks.Protocol;

return args switch
{
    ["fuzz-packets", .. var rest] => FuzzPackets.Run(rest),
    ["fleet", .. var rest] => FleetComparison.Run(rest),
    ["cell", .. var rest] => PaperCell.Run(rest),
    ["network", .. var rest] => NetworkSpeed.Run(rest),
    ["splitting", .. var rest] => SplittingAccuracy.Run(rest),
    ["learning", .. var rest] => LatencyDraws.Run(rest),
    _ => RunBenchmarks(args),
};

static int RunBenchmarks(string[] args)
{
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
    return 0;
}
