using MqttCheck.Cli;
using MqttCheck.Cli.Terminal;

using var interruption = new Interruption();
return await ToolCommands.RunAsync(args, Screen.OfProcess(), interruption);
