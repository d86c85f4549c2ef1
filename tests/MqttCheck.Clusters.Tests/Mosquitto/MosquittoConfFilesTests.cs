using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Clusters.Tests.Mosquitto;

[TestFixture]
internal sealed class MosquittoConfFilesTests : DirectoryFixture
{
    [TestCase("a.conf", "a")]
    [TestCase("Site-North.conf", "sitenorth")]
    [TestCase("1.conf", "broker1")]
    [TestCase("\u00e4.conf", "broker")]
    [TestCase("any.conf", "brokerany")]
    [TestCase("a-very-long-name-of-a-broker-in-the-north.conf", "averylongnameofabroker")]
    public void A_node_has_the_name_of_its_file(string file, string name) =>
        Assert.That(Names(MosquittoConfFiles.Read([Write(file)], [])), Is.EqualTo([name]));

    [Test]
    public void Names_are_unique_and_those_that_the_user_gives_stay()
    {
        string[] paths = [Write("x/site.conf"), Write("y/site.conf"), Write("z/site.conf")];
        var read = MosquittoConfFiles.Read(paths[..2], [$"site2={paths[2]}"]);
        Assert.That(Names(read), Is.EqualTo(["site2", "site", "site3"]));
        Assert.That(read.Select(conf => conf.File), Is.EqualTo([paths[2], paths[0], paths[1]]));
        Assert.That(Names(read), Has.All.Matches<string>(TopologyNames.IsNode));
    }

    [Test]
    public void Each_file_of_a_folder_is_a_broker()
    {
        Write("d/b.conf");
        Write("d/a.conf");
        Write("d/c.txt");
        Assert.That(Names(MosquittoConfFiles.Read([In("d")], [])), Is.EqualTo(["a", "b"]));
        Directory.CreateDirectory(In("empty"));
        Assert.That(Refusal([In("empty")]), Does.Contain("there is no file *.conf"));
    }

    [TestCase("a")]
    [TestCase("A=a.conf")]
    [TestCase("any=a.conf")]
    [TestCase("a=")]
    [TestCase("=a.conf")]
    public void A_name_follows_the_rule_of_nodes(string option) =>
        Assert.That(
            Refusal([], option),
            Does.Contain($"--conf: '{option}' is no NAME=FILE; allowed for NAME: a lower")
        );

    [Test]
    public void All_files_are_read_before_anything_is_said()
    {
        var refusal = Refusal(
            [Write("a.conf", "x"), In("none.conf")],
            $"n={Write("b.conf", "max_qos 3")}",
            "N=b",
            "n=c"
        );
        Assert.That(
            refusal,
            Does.Contain("a.conf:1")
                .And.Contain("b.conf:1")
                .And.Contain("there is no such file")
                .And.Contain("'N=b'")
                .And.Contain("the name 'n' is given twice")
        );
    }

    [TestCase("a.conf", true)]
    [TestCase("a.CONF", true)]
    [TestCase("a.json", false)]
    [TestCase("conf", false)]
    public void Files_are_told_from_topologies_by_their_names(string path, bool isConf) =>
        Assert.That((MosquittoConfFiles.IsConf(path), MosquittoConfFiles.IsConf(Folder)), Is.EqualTo((isConf, true)));

    private static IEnumerable<string> Names(IEnumerable<MosquittoConf> confs) => confs.Select(conf => conf.Name);

    private static string Refusal(IReadOnlyList<string> given, params string[] named) =>
        Assert.Throws<InputException>(() => MosquittoConfFiles.Read(given, named))!.Message;

    private string Write(string name, string text = "")
    {
        var path = In(name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
        return path;
    }
}
