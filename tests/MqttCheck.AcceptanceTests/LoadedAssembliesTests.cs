namespace MqttCheck.AcceptanceTests;

/// <summary>What the processes of a command have loaded: clients of stores and logs are for others.</summary>
[Platform("Linux")]
public sealed class LoadedAssembliesTests
{
    private static readonly string[] s_ofOthers = ["Npgsql", "StackExchange.Redis", "Confluent.Kafka", "librdkafka"];

    [TestCase("bench --broker embedded --for 3s", "MqttCheck.Brokers.dll")]
    [TestCase("check --broker pipeline --for 3s", "MqttCheck.ClusterProtocols.dll")]
    public async Task No_client_of_a_database_or_of_Kafka_is_loaded(string command, string loaded)
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(directory.Path, command.Split(' '));
        var mapped = new HashSet<string>(StringComparer.Ordinal);
        // Processes come and go while the command runs.
        var ended = tool.WaitAsync();
        while (!ended.IsCompleted)
        {
            foreach (var process in Processes.DescendantsOf(tool.Id).Append(tool.Id))
                mapped.UnionWith(MappedBy(process));
            await Task.Delay(100);
        }
        var result = await ended;
        Assert.That(result.ExitCode, Is.AnyOf(0, 1, 4), result.ToString);
        Assert.That(mapped, Does.Contain(loaded), "what is loaded is seen");
        Assert.That(
            mapped.Where(file => s_ofOthers.Any(other => file.Contains(other, StringComparison.OrdinalIgnoreCase))),
            Is.Empty
        );
    }

    private static IEnumerable<string> MappedBy(int process)
    {
        try
        {
            return File.ReadAllLines($"/proc/{process}/maps").Select(line => Path.GetFileName(line.Split(' ')[^1]));
        }
        catch (IOException)
        {
            // It has ended.
            return [];
        }
    }
}
