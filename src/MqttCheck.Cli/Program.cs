using MqttCheck.Cli;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

if (DescriptorLimit.Problem() is { } problem)
{
    Console.Error.WriteLine("error: " + problem);
    return ExitCode.BrokerFailed;
}
using var interruption = new Interruption();
return await ToolCommands.RunAsync(args, Screen.OfProcess(), interruption);
