namespace MqttCheck.Tests.Text;

/// <summary>A fixture whose tests have a folder of their own each, which is gone afterwards.</summary>
public abstract class TemporaryFolder
{
    protected string Folder { get; private set; } = "";

    [SetUp]
    public void CreateFolder() => Folder = Directory.CreateTempSubdirectory("mqttcheck-").FullName;

    [TearDown]
    public void DeleteFolder() => Directory.Delete(Folder, recursive: true);

    protected string InFolder(string name) => Path.Combine(Folder, name);
}
