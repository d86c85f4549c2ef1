using MqttCheck.Cli;
using MqttCheck.Cli.Terminal;

using var interruption = new Interruption();
return await CommandLine.RunAsync(args, Screen.OfProcess(), interruption);
