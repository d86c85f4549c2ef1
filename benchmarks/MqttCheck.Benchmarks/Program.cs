using BenchmarkDotNet.Running;
using MqttCheck.Benchmarks.Automata;

return args switch
{
    ["fleet", .. var rest] => FleetComparison.Run(rest),
    ["cell", .. var rest] => PaperCell.Run(rest),
    _ => RunBenchmarks(args),
};

static int RunBenchmarks(string[] args)
{
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
    return 0;
}
