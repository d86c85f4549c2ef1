namespace Shared;

/// <summary>Gives each test a directory of its own, which is gone afterwards.</summary>
public abstract class DirectoryFixture
{
    /// <summary>The path of the directory.</summary>
    protected string Folder { get; private set; } = "";

    [SetUp]
    public void MakeFolder() => Folder = Directory.CreateTempSubdirectory("mqttcheck-tests-").FullName;

    [TearDown]
    public void DeleteFolder() => Directory.Delete(Folder, recursive: true);

    /// <summary>The path of a file in the directory.</summary>
    protected string In(string name) => Path.Combine(Folder, name);
}
