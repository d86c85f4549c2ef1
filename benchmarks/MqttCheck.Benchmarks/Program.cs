using BenchmarkDotNet.Running;
using MqttCheck.Benchmarks.Protocol;

if (args is ["fuzz-packets", ..]) return FuzzPackets.Run(args[1..]);
BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
return 0;
