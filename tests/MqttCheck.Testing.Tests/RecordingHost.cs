namespace MqttCheck.Testing.Tests;

/// <summary>A host that keeps what it is given, with a directory of its own that goes at the end.</summary>
internal sealed class RecordingHost : IDisposable
{
    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("mqttcheck-testing-");
    private readonly List<string> _attached = [];
    private readonly List<string> _progress = [];

    public RecordingHost(CancellationToken token = default) =>
        Host = new()
        {
            Name = "Plant.GatewayTests(\"embedded\").Readings_are_answered",
            Filter = "FullyQualifiedName~.Readings_are_answered",
            Directory = _directory.FullName,
            Token = token,
            WriteProgress = _progress.Add,
            Attach = (path, _) => _attached.Add(path),
        };

    public TestHost Host { get; }

    /// <summary>The paths of the files that were attached.</summary>
    public IReadOnlyList<string> Attached => _attached;

    /// <summary>The lines that were shown.</summary>
    public IReadOnlyList<string> Progress => _progress;

    public void Dispose() => _directory.Delete(recursive: true);
}
