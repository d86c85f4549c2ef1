using MqttCheck.Pipeline.Logs;

namespace MqttCheck.Pipeline.Commands;

/// <summary>The commands of the program.</summary>
internal static class PipelineCommands
{
    private const string Usage = """
        mqttcheck-pipeline COMMAND

          log-node FILE [PORT]      serves a log from a file on loopback, and prints its port
          kafka-mock                serves Kafka's protocol for tests until its input ends, and prints its address
          node OPTIONS              serves a node of a pipeline; 'mqttcheck cluster run' starts it
          store-steps [KEY=VALUE]   compares PostgreSQL, synchronous and asynchronous Redis, eight turns each
          store-clients [SECONDS]   compares clients of a Redis server that wait for answers with one that does not
          calibrate [REPLICATIONS]  fits the simulated pipeline to published means, and says how often it is in time
        """;

    /// <summary>Runs one.</summary>
    /// <returns>The exit code: 0 for success, 2 for wrong input, 3 where a program is missing.</returns>
    public static async Task<int> RunAsync(string[] arguments)
    {
        switch (arguments)
        {
            case ["log-node", var file]:
                return await LogNodeCommand.RunAsync(file, port: 0);
            case ["log-node", var file, var text] when ushort.TryParse(text, out var port):
                return await LogNodeCommand.RunAsync(file, port);
            case ["kafka-mock"]:
                return await KafkaMock.RunAsync();
            case ["node", .. var options]:
                return await PipelineNodeCommand.RunAsync(options);
            case ["store-steps", .. var keys] when StoreStepsSettings.Parse(keys) is { } settings:
                return await StoreStepsCommand.RunAsync(settings);
            case ["store-clients"]:
                return await StoreClientsCommand.RunAsync(seconds: 30);
            case ["store-clients", var text] when int.TryParse(text, out var seconds) && seconds > 0:
                return await StoreClientsCommand.RunAsync(seconds);
            case ["calibrate"]:
                return FitCommand.Run(replications: 200);
            case ["calibrate", var text] when int.TryParse(text, out var replications) && replications > 1:
                return FitCommand.Run(replications);
            default:
                await Console.Error.WriteLineAsync(Usage);
                await Console.Error.WriteLineAsync($"  keys of store-steps: {StoreStepsSettings.Keys}");
                return 2;
        }
    }
}
